import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { toolTable } from '#mcp/tools/index.ts';
import { startBearerProxy, type BearerProxy } from '../harness/bearer-proxy.ts';
import { installPackages, type NpmPackages } from '../harness/npm-packages.ts';
import { signUpAt, startProduct, type Product } from '../harness/product.ts';

/** The release for the protocol of 2025, and the one that knows the protocol of 2026. */
const packages = {
  'conformance-2025': 'npm:@modelcontextprotocol/conformance@0.1.16',
  'conformance-2026': 'npm:@modelcontextprotocol/conformance@0.2.0-alpha.12',
  '@modelcontextprotocol/inspector': '2.12.0',
};
const launcher = '@modelcontextprotocol/inspector/clients/launcher/build/index.js';
const main = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

interface Inapplicable {
  reason: string;
  /** Every failed check of these scenarios says so. */
  because: RegExp;
  scenarios: readonly string[];
}

interface Suite {
  program: keyof typeof packages;
  options: readonly string[];
  scenarios: number;
  passed: readonly string[];
  inapplicable: readonly Inapplicable[];
}

const ofReferenceServer = [
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
  'tools-call-with-progress',
  'json-schema-2020-12',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
];
const reference = 'It calls a tool, a prompt or a resource that only the reference server has.';
const undeclared = 'The server does not declare this capability, so the method does not exist.';
const notThere = /\b(Tool|Prompt) '?\w+'? not found|Resource not found: test:/;

const suites: Record<string, Suite> = {
  '2025-11-25': {
    program: 'conformance-2025',
    options: ['--suite', 'all'],
    scenarios: 32,
    passed: [
      'dns-rebinding-protection',
      'ping',
      'prompts-list',
      'resources-list',
      'server-initialize',
      'server-sse-multiple-streams',
      'server-sse-polling',
      'tools-list',
    ],
    inapplicable: [
      {
        reason: reference,
        because: notThere,
        scenarios: [
          ...ofReferenceServer,
          'tools-call-sampling',
          'tools-call-elicitation',
          'elicitation-sep1034-defaults',
          'elicitation-sep1330-enums',
        ],
      },
      {
        reason: undeclared,
        because: /Method not found/,
        scenarios: [
          'completion-complete',
          'logging-set-level',
          'tools-call-with-logging',
          'resources-subscribe',
          'resources-unsubscribe',
        ],
      },
    ],
  },
  '2026-07-28': {
    program: 'conformance-2026',
    options: ['--requirements', '2026-07-28'],
    scenarios: 50,
    passed: [
      'caching',
      'dns-rebinding-protection',
      'http-header-validation',
      'input-required-result-ignore-extra-params',
      'input-required-result-missing-input-response',
      'input-required-result-unsupported-methods',
      'input-required-result-validate-input',
      'prompts-list',
      'resources-list',
      'sep-2164-resource-not-found',
      'server-sse-multiple-streams',
      'tasks-status-notifications',
      'tools-list',
    ],
    inapplicable: [
      { reason: reference, because: notThere, scenarios: ofReferenceServer },
      {
        reason: 'Four of its 28 checks need a diagnostic tool of the reference server.',
        because: /^Not testable: server does not list the diagnostic tool/,
        scenarios: ['server-stateless'],
      },
      { reason: undeclared, because: /Method not found/, scenarios: ['completion-complete'] },
      {
        reason: 'Tools of the reference server ask the client for input; ours never do.',
        because: /not found$|InputRequiredResult with/,
        scenarios: [
          'basic-elicitation',
          'basic-sampling',
          'basic-list-roots',
          'request-state',
          'multiple-input-requests',
          'multi-round',
          'non-tool-request',
          'result-type',
          'tampered-state',
          'capability-check',
        ].map((name) => `input-required-result-${name}`),
      },
      {
        reason: 'No tool reads its arguments from headers.',
        because: /^Not testable: server exposes no tool with x-mcp-header annotations/,
        scenarios: ['http-custom-header-server-validation'],
      },
      {
        reason: 'The extension for tasks is not declared. The suite does not score extensions.',
        because: /./,
        scenarios: [
          'lifecycle',
          'capability-negotiation',
          'wire-fields',
          'request-state-removal',
          'mrtr-input',
          'request-headers',
          'dispatch-and-envelope',
          'required-task-error',
          'mrtr-composition',
        ].map((name) => `tasks-${name}`),
      },
    ],
  },
};

interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

describe.runIf(process.env.TORTURE)('the official programs', () => {
  let programs: NpmPackages | null = null;
  let product: Product | null = null;
  let proxy: BearerProxy;
  let token: string;

  beforeAll(async () => {
    programs = await installPackages(packages);
    if (programs === null) return;
    product = await startProduct();
    ({ token } = await signUpAt(product.apiUrl));
    proxy = await startBearerProxy(product.webUrl, token);
  });
  afterAll(async () => {
    await proxy?.close();
    await product?.stop();
    await programs?.remove();
  });
  beforeEach(({ skip }) => {
    if (programs === null) skip('the npm registry cannot be reached');
  });

  /** The checks of each scenario. The suite cannot send a token, so a proxy adds it. */
  async function runSuite({ program, options }: Suite): Promise<Map<string, Check[]>> {
    const results = `results-${program}`;
    const target = ['server', '--url', `${proxy.url}/mcp`, '--output-dir', results];
    await programs!.run(`${program}/dist/index.js`, [...target, ...options]);
    const folder = join(programs!.folder, results);
    const scenarios = new Map<string, Check[]>();
    for (const name of await readdir(folder)) {
      const text = await readFile(join(folder, name, 'checks.json'), 'utf8');
      const scenario = /^server-(.*?)-\d{4}-\d\d-\d\dT/.exec(name)![1]!;
      scenarios.set(scenario, JSON.parse(text) as Check[]);
    }
    return scenarios;
  }

  test.each(Object.entries(suites))(
    'conformance suite of %s: every scenario passes that applies to this server',
    async (_name, suite) => {
      const scenarios = await runSuite(suite);
      const failures = [...scenarios].flatMap(([scenario, checks]) =>
        checks
          .filter(({ status }) => status === 'FAILURE')
          .map(({ id, errorMessage = '' }) => ({ scenario, id, errorMessage })),
      );
      const unexplained = failures.filter(
        ({ scenario, errorMessage }) =>
          !suite.inapplicable.some(
            (known) => known.scenarios.includes(scenario) && known.because.test(errorMessage),
          ),
      );
      expect(unexplained).toEqual([]);
      const failed = new Set(failures.map(({ scenario }) => scenario));
      const named = suite.inapplicable.flatMap((known) => known.scenarios);
      expect([...failed].toSorted()).toEqual(named.toSorted());
      const passed = [...scenarios.keys()].filter((scenario) => !failed.has(scenario));
      expect(passed.toSorted()).toEqual(suite.passed);
      expect(scenarios.size).toBe(suite.scenarios);
    },
  );

  const inspect = (...args: string[]) => programs!.run(launcher, ['--cli', ...args]);
  const overHttp = (...args: string[]) => {
    const authorization = ['--header', `Authorization: Bearer ${token}`];
    return inspect(`${product!.webUrl}/mcp`, '--transport', 'http', ...authorization, ...args);
  };
  const overStdio = (...args: string[]) => {
    const environment = ['-e', `TOPRUNG_URL=${product!.webUrl}`, '-e', `TOPRUNG_TOKEN=${token}`];
    return inspect(...environment, ...args, '--', process.execPath, main, 'mcp');
  };

  test.each([
    ['http, legacy', overHttp, ['--protocol-era', 'legacy']],
    ['http, modern', overHttp, ['--protocol-era', 'modern']],
    ['stdio, legacy', overStdio, ['--protocol-era', 'legacy']],
    ['stdio, modern', overStdio, ['--protocol-era', 'modern']],
  ] as const)(
    'the inspector uses tools, prompts and the guide over %s',
    async (_name, ask, era) => {
      const list = await ask(...era, '--method', 'tools/list');
      const { tools } = JSON.parse(list.out) as { tools: { name: string }[] };
      const names = Object.values(toolTable).flatMap((all) => all.map(({ name }) => name));
      expect([list.code, tools.map(({ name }) => name)]).toEqual([0, names]);
      const who = await ask(...era, '--method', 'tools/call', '--tool-name', 'whoami');
      expect([who.code, JSON.parse(who.out)]).toMatchObject([
        0,
        { structuredContent: { role: 'owner', readOnly: false, email: 'first@example.org' } },
      ]);
      const prompts = await ask(...era, '--method', 'prompts/list');
      expect([prompts.code, prompts.out]).toEqual([0, expect.stringContaining('weekly_review')]);
      const guide = await ask(...era, '--method', 'resources/read', '--uri', 'toprung://guide');
      expect([guide.code, guide.out]).toEqual([0, expect.stringContaining('How to read Toprung')]);
      const lost = ['--method', 'tools/call', '--tool-name', 'get_visibility'];
      const refused = await ask(...era, ...lost, '--tool-arg', 'appId=5');
      expect([refused.code !== 0, refused.out + refused.errors]).toEqual([
        true,
        expect.stringContaining('appId 5 does not exist in this workspace. list_apps lists valid'),
      ]);
    },
  );

  test('the inspector finds no error in a schema, and all inputs are portable', async () => {
    const { code, errors } = await overHttp('--method', 'tools/list', '--strict');
    expect([code, errors]).toEqual([0, expect.stringContaining('0 errors, ')]);
    // Results have members that may be null, which some dialects of schemas cannot express.
    const paths = [...errors.matchAll(/^ {2}Path: (\w+)/gm)].map(([, path]) => path);
    expect(new Set(paths)).toEqual(new Set(['outputSchema']));
  });
});
