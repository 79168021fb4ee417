import { z } from 'zod';
import type { CallOutput } from '#client/http.ts';
import { requestAll } from '../request-all.ts';
import { defineTool } from '../tool.ts';
import { cut, lines, quote } from '../text-format.ts';

const limitRow = z.object({
  kind: z.string(),
  per: z.string().nullable(),
  used: z.int(),
  limit: z.int().nullable(),
});

const output = z.object({
  workspaceId: z.int(),
  workspace: z.string(),
  state: z.string(),
  plan: z.string().nullable(),
  email: z.string(),
  role: z.string(),
  readOnly: z.boolean(),
  expiresOn: z.string().nullable(),
  limits: z.array(limitRow),
});

export const whoami = defineTool({
  name: 'whoami',
  title: 'Credential',
  description: 'Workspace, plan, role and scope of this credential, limits with usage.',
  kind: 'read',
  input: z.strictObject({}),
  output,
  async run(api) {
    const [session, workspace, usage] = await requestAll([
      api('GET /auth/session'),
      api('GET /workspace'),
      api('GET /workspace/usage'),
    ]);
    const { usage: used, limits } = workspace;
    const data = {
      workspaceId: workspace.id,
      workspace: cut(workspace.name, 80),
      state: workspace.state,
      plan: workspace.plan,
      email: session.user.email,
      role: session.role,
      readOnly: session.readOnly,
      expiresOn: session.expiresAt?.slice(0, 10) ?? null,
      limits: [
        { kind: 'apps', per: null, used: used.apps, limit: limits.apps },
        {
          kind: 'keyword markets',
          per: null,
          used: used.keywordMarkets,
          limit: limits.keywordMarkets,
        },
        ...usage.onDemand.map(toLimitRow),
      ],
    };
    return { text: formatWhoami(data), data };
  },
});

type Allowance = CallOutput<'GET /workspace/usage'>['onDemand'][number];

function toLimitRow({ kind, window: per, used, limit }: Allowance): z.output<typeof limitRow> {
  return { kind, per, used, limit };
}

function formatWhoami(data: z.output<typeof output>): string {
  return lines(
    `Workspace ${data.workspaceId} ${quote(data.workspace)} is ${data.state}, ` +
      `${data.plan === null ? 'without a plan' : `plan ${data.plan}`}.`,
    `This token acts for ${quote(data.email)}, ${data.role}; it can ` +
      `${data.readOnly ? 'read only' : 'read and write'}` +
      `${data.expiresOn === null ? '' : ` until ${data.expiresOn}`}.`,
    data.limits.map(formatLimit),
  );
}

function formatLimit({ kind, per, used, limit }: z.output<typeof limitRow>): string {
  const window = per === null ? '' : ` in this ${per}`;
  return `- ${kind}${window}: ${limit === null ? `${used}, no limit` : `${used} of ${limit}`}`;
}
