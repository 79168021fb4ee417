import { Argument, Command } from 'commander';
import { processShell, type Shell } from './terminal/shell.ts';
import { runWork } from './work/run-work.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

interface Entry {
  /** The names of commands, separated by spaces; '' for the program. */
  path: string;
  words: { word: string; description: string }[];
}

export function completionCommand(shell: Shell = processShell): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .description(
      'print the completion script of a shell, such as: source <(toprung completion bash)',
    )
    .action((name: (typeof shells)[number], _options: object, command: Command) => {
      const entries = listEntries(command.parent!);
      const script = name === 'fish' ? writeFish(entries) : writeBash(entries, name === 'zsh');
      return runWork({}, () => shell.out(script), shell);
    });
}

/** The commands and options that the program parses, read from its own table. */
function listEntries(command: Command, path: string[] = []): Entry[] {
  const visible = command.createHelp().visibleCommands(command);
  const words = [
    ...visible.map((one) => ({ word: one.name(), description: one.description() })),
    ...command
      .createHelp()
      .visibleOptions(command)
      .flatMap(({ long, description }) => (long == null ? [] : [{ word: long, description }])),
  ];
  const inner = command.commands.flatMap((one) => listEntries(one, [...path, one.name()]));
  return [{ path: path.join(' '), words }, ...inner];
}

/** Names are our own and have no quotes. zsh runs the same function through bashcompinit. */
function writeBash(entries: readonly Entry[], isZsh: boolean): string {
  const cases = entries.map(
    ({ path, words }) => `    '${path}') words='${words.map(({ word }) => word).join(' ')}' ;;`,
  );
  return [
    ...(isZsh
      ? [
          '(( $+functions[compdef] )) || { autoload -U +X compinit && compinit }',
          'autoload -U +X bashcompinit && bashcompinit',
        ]
      : []),
    '_toprung() {',
    "  local path='' words='' word index",
    '  COMPREPLY=()',
    '  for ((index = 1; index < COMP_CWORD; index++)); do',
    '    word="${COMP_WORDS[index]}"',
    '    case " $(_toprung_paths) " in',
    '      *"|${path:+$path }$word|"*) path="${path:+$path }$word" ;;',
    '    esac',
    '  done',
    '  case "$path" in',
    ...cases,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    `_toprung_paths() { printf '%s' '|${entries.map(({ path }) => path).join('|')}|'; }`,
    'complete -o default -F _toprung toprung',
    '',
  ].join('\n');
}

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function writeFish(entries: readonly Entry[]): string {
  const paths = entries.map(({ path }) => path).filter((path) => path !== '');
  return [
    'function __toprung_path',
    "  set -l path ''",
    '  for word in (commandline -opc)[2..-1]',
    '    set -l next (string trim -- "$path $word")',
    `    contains -- $next ${paths.map(quote).join(' ')}; and set path $next`,
    '  end',
    '  test "$path" = "$argv[1]"',
    'end',
    ...entries.flatMap(({ path, words }) =>
      words.map(({ word, description }) => {
        const isOption = word.startsWith('--');
        const what = isOption ? `-l ${word.slice(2)}` : `-f -a ${word}`;
        return `complete -c toprung -n "__toprung_path '${path}'" ${what} -d ${quote(description)}`;
      }),
    ),
    '',
  ].join('\n');
}
