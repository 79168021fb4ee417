import type { CauseKind } from '#contract/choices.ts';
import type { RankPair } from '#domain/tracking/rankings/visible-rows.ts';
import type { ComparedPositions } from '#domain/tracking/serps/stored-positions.ts';
import { distanceOf } from './result-shift.ts';
import type { TextChange } from './text-change.ts';

/** A keyword's move, with the stored results of both days where there are any. */
export interface Move {
  phrase: string;
  country: string;
  listingId: number;
  from: RankPair;
  to: RankPair;
  before: ComparedPositions | null;
  after: ComparedPositions | null;
}

/** Facts about the days between, and the three days before them. */
export interface Circumstances {
  /** Changes of the app and its competitors. */
  changes: readonly TextChange[];
  /** The store moved many apps, here and in most markets of the country. */
  isReranked: boolean;
}

export interface Passer {
  listingId: number;
  from: number | null;
  to: number | null;
}

export interface FoundCause {
  kind: CauseKind;
  explained: number;
  passers: Passer[];
  changes: TextChange[];
  words: string[];
}

/** An app that was not found may have been just below the known results; these are far from it. */
const minArrival = 0.5;

/**
 * The likeliest cause of a move, or null. A change of words counts only in the direction of the
 * move, and other apps only if they explain at least half of it. A reranking is likelier than a
 * change of the days before the move.
 */
export function findCause(move: Move, { changes, isReranked }: Circumstances): FoundCause | null {
  const isRise = risesIn(move);
  const here = changes.filter(({ country }) => country === null || country === move.country);
  const touching = (listingId: number, way: 'gained' | 'lost') =>
    here.filter((change) => change.listingId === listingId && change[way](move.phrase).length > 0);
  const own = touching(move.listingId, isRise ? 'gained' : 'lost');
  const isRecent = own.some(({ detectedOn }) => detectedOn > move.from.date);
  if (isReranked && !isRecent) return toCause('reranking', {});
  if (own.length > 0)
    return toCause('own_change', { changes: own, words: wordsOf(own, move, isRise) });
  const moved = positionsMoved(move);
  if (moved === 0) return null;
  const passers = listPassers(move, isRise);
  const enough = (found: readonly unknown[]) => 2 * found.length >= moved;
  const changed = passers.filter(
    ({ listingId }) => touching(listingId, isRise ? 'lost' : 'gained').length > 0,
  );
  if (changed.length > 0 && enough(changed)) {
    const theirs = changed.flatMap(({ listingId }) =>
      touching(listingId, isRise ? 'lost' : 'gained'),
    );
    return toCause('competitor_change', {
      explained: changed.length,
      passers: changed,
      changes: theirs,
      words: wordsOf(theirs, move, !isRise),
    });
  }
  const fresh = passers.filter((passer) => isFresh(passer, move, isRise));
  if (fresh.length > 0 && enough(fresh))
    return toCause(isRise ? 'leavers' : 'entrants', { explained: fresh.length, passers: fresh });
  return null;
}

function toCause(
  kind: CauseKind,
  { explained = 0, passers = [], changes = [], words = [] }: Partial<FoundCause>,
): FoundCause {
  return { kind, explained, passers, changes, words };
}

function risesIn({ from, to }: Move): boolean {
  return (to.position ?? Infinity) < (from.position ?? Infinity);
}

/** 0 when one of the days did not find the app. */
function positionsMoved({ from, to }: Move): number {
  return from.position === null || to.position === null ? 0 : Math.abs(from.position - to.position);
}

function wordsOf(changes: readonly TextChange[], { phrase }: Move, isGain: boolean): string[] {
  return [...new Set(changes.flatMap((change) => change[isGain ? 'gained' : 'lost'](phrase)))];
}

/** The apps that passed the app, or that it passed in a rise, by their higher position. */
function listPassers({ from, to, before, after }: Move, isRise: boolean): Passer[] {
  if (!before || !after || before.provider !== after.provider) return [];
  const [aboveBefore, aboveAfter] = [
    before.listingIds.slice(0, from.position! - 1),
    after.listingIds.slice(0, to.position! - 1),
  ];
  const [above, others] = isRise ? [aboveBefore, aboveAfter] : [aboveAfter, aboveBefore];
  const known = new Set(others);
  const positionIn = ({ listingIds }: ComparedPositions, id: number) =>
    listingIds.indexOf(id) + 1 || null;
  return above
    .filter((id) => !known.has(id))
    .map((id) => ({ listingId: id, from: positionIn(before, id), to: positionIn(after, id) }));
}

function isFresh({ from, to }: Passer, { before, after }: Move, isRise: boolean): boolean {
  const [position, missing, elsewhere] = isRise
    ? [from, to, after!.knownPositions]
    : [to, from, before!.knownPositions];
  return (
    missing === null && elsewhere > position! && distanceOf(position!, elsewhere) >= minArrival
  );
}
