/** Reports names and sentences with words of our own, and the trade's word to use instead. */
import ts from 'typescript';
import {
  isIn,
  isScript,
  lineOf,
  parse,
  walk,
  type Finding,
  type SourceText,
} from './source-tree.ts';

interface BannedWord {
  /** Lower-case words of an identifier: `give back` for `giveBack`, with an optional final `s`. */
  word: string;
  instead: string;
  /** Comments and documents are searched too. */
  inProse?: true;
  /** Folders in which the word has its ordinary meaning. */
  except?: readonly string[];
}

const bannedWords: readonly BannedWord[] = [
  { word: 'beat', instead: 'tick, poll interval', inProse: true },
  { word: 'house', instead: 'background (job, queue)', inProse: true },
  { word: 'chore', instead: 'store task', inProse: true },
  { word: 'sweep', instead: 'periodic task, cleanup', inProse: true },
  { word: 'swept', instead: 'cleaned up', inProse: true },
  { word: 'tidy', instead: 'clean up, apply retention', inProse: true },
  { word: 'hand over', instead: 'enqueue, replace', inProse: true },
  { word: 'handed over', instead: 'enqueued', inProse: true },
  { word: 'judge', instead: 'evaluate, check, validate', inProse: true },
  { word: 'judged', instead: 'evaluated', inProse: true },
  { word: 'unjudged', instead: 'pending', inProse: true },
  { word: 'judgement', instead: 'evaluation, result', inProse: true },
  { word: 'tell', instead: 'notify, emit, format, report', inProse: true },
  { word: 'told', instead: 'notified, emitted, formatted, reported', inProse: true },
  { word: 'untold', instead: 'pending, unsent' },
  { word: 'settle', instead: 'complete, reconcile', inProse: true },
  { word: 'settled', instead: 'completed, idle', inProse: true },
  { word: 'unsettled', instead: 'pending', inProse: true },
  { word: 'doubted', instead: 'unconfirmed', inProse: true },
  { word: 'doubtful', instead: 'unconfirmed' },
  { word: 'believably', instead: 'with confirmation', inProse: true },
  { word: 'wanted', instead: 'requested, expected' },
  { word: 'wish', instead: 'request', inProse: true },
  { word: 'place', instead: 'position' },
  { word: 'standing', instead: 'position (of an app), status (of a workspace)' },
  { word: 'rival', instead: 'competitor', inProse: true },
  { word: 'letter', instead: 'email; character' },
  { word: 'seal', instead: 'encrypt', inProse: true },
  { word: 'sealed', instead: 'encrypted', inProse: true },
  { word: 'unseal', instead: 'decrypt', inProse: true },
  { word: 'gather', instead: 'collect, batch', inProse: true },
  { word: 'gathered', instead: 'collected, batched', inProse: true },
  { word: 'lead inward', instead: 'be blocked by the SSRF guard', inProse: true },
  { word: 'patience', instead: 'timeout, deadline', inProse: true },
  { word: 'closers', instead: 'shutdown stack' },
  { word: 'give back', instead: 'release' },
  { word: 'borrow', instead: 'acquire' },
  { word: 'scratch', instead: 'buffer pool', except: ['tests', 'scripts'] },
  { word: 'park', instead: 'dead-letter' },
  { word: 'parked', instead: 'dead-lettered' },
  { word: 'put off', instead: 'reschedule', inProse: true },
  { word: 'postpone', instead: 'reschedule', inProse: true },
  { word: 'defer', instead: 'reschedule' },
  { word: 'room', instead: 'quota, capacity, unused space; module' },
  { word: 'answer', instead: 'response' },
  { word: 'answered', instead: 'responded' },
  { word: 'canary', instead: 'probe (of a store), marker (in tests)', inProse: true },
  { word: 'canaries', instead: 'probes', inProse: true },
  { word: 'plant', instead: 'override' },
  { word: 'planted', instead: 'overridden', except: ['tests/rules'] },
  { word: 'truth', instead: 'ground truth', except: ['simulator', 'tests'] },
  { word: 'turn', instead: 'order, phase, round, tick, lock, slot' },
  { word: 'regime', instead: 'mode', inProse: true },
  { word: 'twist', instead: 'response mutation', inProse: true },
  { word: 'stage', instead: 'test app, fixture' },
  { word: 'errand', instead: 'end-to-end flow', inProse: true },
  { word: 'arrange', instead: 'fixtures' },
  { word: 'ledger', instead: 'load recorder', inProse: true },
  { word: 'walls', instead: 'module boundaries', inProse: true },
];

/** `dead letter` is the term of message queues. */
const withoutTerms = (text: string): string => text.replaceAll(' dead letter', ' dead');

const spaced = (name: string): string =>
  withoutTerms(
    ` ${name
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replace(/[^A-Za-z]+/g, ' ')
      .toLowerCase()} `,
  );

const matches = (text: string, word: string): boolean =>
  text.includes(` ${word} `) || text.includes(` ${word}s `);

const anyWord = new RegExp(` (?:${bannedWords.map(({ word }) => word).join('|')})s? `);
const allowedNames = new Set<string>();

/** Names that the specification, a library or a platform gives. */
const givenNames = new Set<string>(['max_parallel_workers_per_gather', 'onSettled']);

/** Catalogues whose texts are data: categories and phrases of the stores. */
const catalogues = ['src/stores/android/profile.ts', 'simulator/world/words.ts'];

/** Files that name the words because they ban them, and what was released under an older name. */
const exempt = ['scripts/rules/words.ts', 'tests/rules/words.test.ts', 'CHANGELOG.md'];

/** Generated from other files, which are searched. */
const generated = ['src/db/tables.ts', 'src/db/statements.ts', 'package-lock.json'];

export function findBannedWords(files: readonly SourceText[]): Finding[] {
  return files
    .filter((file) => !exempt.includes(file.path) && !generated.includes(file.path))
    .flatMap((file) => [
      ...findInPath(file),
      ...(isScript(file) ? findInNames(file) : []),
      ...(catalogues.includes(file.path) ? [] : findInProse(file)),
    ]);
}

function findInPath(file: SourceText): Finding[] {
  const words = spaced(file.path.replace(/\.[a-z.]+$/, ''));
  return bannedIn(file)
    .filter(({ word }) => matches(words, word))
    .map((banned) => ({ path: file.path, line: 1, problem: describe(file.path, banned) }));
}

/** Declarations only: whoever uses a name follows the file that gives it. */
function findInNames(file: SourceText): Finding[] {
  const banned = bannedIn(file);
  return walk(parse(file)).flatMap((node) => {
    const name = ts.isIdentifier(node) && isDeclared(node) ? node.text : null;
    if (name === null || allowedNames.has(name)) return [];
    const words = spaced(name);
    if (givenNames.has(name) || !anyWord.test(words)) {
      allowedNames.add(name);
      return [];
    }
    const found = banned.find(({ word }) => matches(words, word));
    return found
      ? [{ path: file.path, line: lineOf(file, node), problem: describe(name, found) }]
      : [];
  });
}

function isDeclared(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isJsxAttribute(parent)) return false;
  if (ts.isBindingElement(parent) && parent.propertyName === undefined)
    return !ts.isObjectBindingPattern(parent.parent);
  return 'name' in parent && parent.name === node && !ts.isImportSpecifier(parent);
}

function findInProse(file: SourceText): Finding[] {
  const banned = bannedIn(file).filter(({ inProse }) => inProse);
  return listProse(file).flatMap(({ line, text }) => {
    const words = spaced(text);
    if (!anyWord.test(words)) return [];
    return banned
      .filter(({ word }) => matches(words, word))
      .map((one) => ({ path: file.path, line, problem: describe(text.trim().slice(0, 60), one) }));
  });
}

const bannedIn = (file: SourceText): BannedWord[] =>
  bannedWords.filter(({ except = [] }) => !isIn(file, ...except));

const describe = (where: string, { word, instead }: BannedWord): string =>
  `"${where}": instead of "${word}" say ${instead}`;

interface Prose {
  line: number;
  text: string;
}

/** Comments of scripts, SQL and styles; every line of a document; every text of the dashboard. */
function listProse(file: SourceText): Prose[] {
  if (isScript(file)) return [...listComments(file), ...listSentences(file)];
  if (/\.(md|json)$/.test(file.path) && !isIn(file, 'web/src/locales/de', 'web/src/locales/ja'))
    return file.text.split('\n').map((text, index) => ({ line: index + 1, text }));
  if (file.path.endsWith('.sql'))
    return file.text
      .split('\n')
      .map((text, index) => ({ line: index + 1, text: /--(.*)$/.exec(text)?.[1] ?? '' }));
  return [];
}

/** Strings of three words and more: log messages, errors, summaries, names of tests. */
function listSentences(file: SourceText): Prose[] {
  return walk(parse(file))
    .filter((node) => ts.isStringLiteralLike(node) && /\S\s+\S+\s+\S/.test(node.text))
    .map((node) => ({ line: lineOf(file, node), text: (node as ts.StringLiteralLike).text }))
    .filter(({ text }) => !/\b(select|insert into|update|delete from)\b/i.test(text));
}

const comments = new WeakMap<SourceText, Prose[]>();

/** One entry a comment; the marks at the beginning of its lines are left out. */
function listComments(file: SourceText): Prose[] {
  const known = comments.get(file);
  if (known) return known;
  const tree = parse(file);
  const ranges = new Map<number, number>();
  const offsets = new Set(walk(tree).flatMap((node) => [node.pos, node.end]));
  for (const at of offsets) {
    if (!comesBeforeComment(file.text, at)) continue;
    for (const { pos, end } of ts.getLeadingCommentRanges(file.text, at) ?? [])
      ranges.set(pos, end);
    for (const { pos, end } of ts.getTrailingCommentRanges(file.text, at) ?? [])
      ranges.set(pos, end);
  }
  const found = [...ranges].map(([pos, end]) => ({
    line: tree.getLineAndCharacterOfPosition(pos).line + 1,
    text: file.text
      .slice(pos, end)
      .replace(/^\/\*+|\*\/$/g, '')
      .replace(/^\s*(\/\/|\*)? ?/gm, '')
      .trim(),
  }));
  comments.set(file, found);
  return found;
}

/** Cheaper than asking the compiler at every node. */
function comesBeforeComment(text: string, from: number): boolean {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return text[at] === '/';
}

const freeRelative = /^(what|who|whose|whom|whoever|whatever|of)\b(?! (is|are|if|time)\b.*\?)/i;

/** Comments that open with a free relative: "What it does not take is released". */
export function findFreeRelatives(files: readonly SourceText[]): {
  comments: number;
  findings: Finding[];
} {
  const scripts = files.filter((file) => isScript(file) && !generated.includes(file.path));
  const all = scripts.flatMap((file) =>
    listComments(file)
      .flatMap(({ text, line }) => sentencesOf(text, line))
      .map((sentence) => ({ ...sentence, path: file.path })),
  );
  const findings = all
    .filter(({ text }) => freeRelative.test(text))
    .map(({ path, line, text }) => ({
      path,
      line,
      problem: `"${text.slice(0, 60)}": give the sentence a subject`,
    }));
  return { comments: all.length, findings };
}

/** The opening sentence only: that is what a reader sees first. */
function sentencesOf(text: string, line: number): Prose[] {
  return text === '' || /^(oxlint|@ts-|#__)/.test(text) ? [] : [{ line, text }];
}

const freeRelativeShareMax = 0.01;

/** Banned words; and comments that open with a free relative, when they are 1 % of all or more. */
export function checkWords(files: readonly SourceText[]): Finding[] {
  const { comments: count, findings } = findFreeRelatives(files);
  return [
    ...findBannedWords(files),
    ...(findings.length >= count * freeRelativeShareMax ? findings : []),
  ];
}
