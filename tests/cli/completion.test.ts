import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';

const main = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'toprung-shells-'));
afterAll(() => rmSync(home, { recursive: true }));

const isInstalled = (shell: string): boolean =>
  spawnSync(shell, ['-c', 'exit 0'], { env: { ...process.env, HOME: home } }).status === 0;
const hasZsh = isInstalled('zsh');
const hasFish = isInstalled('fish');
for (const [shell, isThere] of Object.entries({ zsh: hasZsh, fish: hasFish }))
  if (!isThere) console.log(`${shell} is not installed: its completion is not tested.`);

/** The path of the script that the program prints for a shell. */
function scriptOf(shell: string): string {
  const { stdout, status } = spawnSync(process.execPath, [main, 'completion', shell], {
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  const file = join(home, `completion.${shell}`);
  writeFileSync(file, stdout);
  return file;
}

function run(shell: string, args: string[]): string {
  const { stdout, stderr } = spawnSync(shell, args, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: home, TERM: 'dumb', LC_ALL: 'C.UTF-8' },
    timeout: 60_000,
  });
  return stdout + stderr;
}

/** What a shell offers after some words, by shell. */
const completers: [string, boolean, (file: string, lines: readonly string[]) => string[][]][] = [
  [
    'bash',
    true,
    (file, lines) =>
      run('bash', [
        '--norc',
        '-c',
        `source ${file}\nfor line in ${lines.map((line) => `'${line}'`).join(' ')}; do\n` +
          '  COMP_WORDS=($line); [[ $line == *" " ]] && COMP_WORDS+=("")\n' +
          '  COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _toprung\n' +
          '  echo "${COMPREPLY[@]}"\ndone',
      ])
        .trim()
        .split('\n')
        .map((words) => words.split(' ')),
  ],
  [
    'fish',
    hasFish,
    (file, lines) =>
      run('fish', [
        '--no-config',
        '-c',
        `source ${file}\n${lines.map((line) => `complete -C '${line}'; echo =`).join('\n')}`,
      ])
        .split('=\n')
        .slice(0, lines.length)
        .map((part) =>
          part
            .trim()
            .split('\n')
            .map((line) => line.split('\t')[0]!),
        ),
  ],
];

describe.each(completers)('the completion of %s', (shell, isThere, complete) => {
  test.skipIf(!isThere)('offers commands, and options of the command', () => {
    const [all, inner, options, afterArgument] = complete(scriptOf(shell), [
      'toprung ',
      'toprung keywords ',
      'toprung keywords add --',
      'toprung keywords list apps --',
    ]);
    expect(all).toEqual(expect.arrayContaining(['login', 'keywords', 'lint']));
    expect(all).not.toContain('github-action');
    expect(inner).toEqual(expect.arrayContaining(['list', 'add', 'export']));
    expect(inner).not.toContain('login');
    expect(options).toEqual(expect.arrayContaining(['--country', '--wait']));
    // An argument that is also the name of a command is no command.
    expect(afterArgument).toContain('--json');
    expect(afterArgument).not.toContain('--wait');
  });
});

test('a reader that has seen enough ends the program quietly', () => {
  const { status, stderr } = spawnSync(
    'bash',
    ['-o', 'pipefail', '-c', `"${process.execPath}" "${main}" completion bash | true`],
    { encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([0, '']);
});

test.skipIf(!hasZsh)('the completion of zsh completes at the press of Tab', () => {
  // A terminal of zsh itself, in which the line is typed; the function prints what was run.
  const typed = (line: string) =>
    run('zsh', [
      '-f',
      '-c',
      [
        'zmodload zsh/zpty',
        `zpty inner 'HOME=${home} zsh -f -i'`,
        `zpty -w inner 'unsetopt zle_bracketed_paste; PS1=; toprung() { print -r -- "GOT:$*;" }'`,
        `zpty -w inner 'source ${scriptOf('zsh')}; print -r -- REA""DY'`,
        `zpty -r inner output '*READY*'`,
        `zpty -n -w inner $'${line}'`,
        `zpty -r inner output '*GOT:*;*'`,
        'print -r -- "$output"',
        'zpty -d inner',
      ].join('\n'),
    ]);
  expect(typed(String.raw`toprung keyw\t add --wa\t --cou\tus\n`)).toMatch(
    /GOT:keywords add --wait --country us;/,
  );
});
