import type { StoreName } from '#domain/base/ports.ts';
import type { UtcDay } from '#lib/dates.ts';
import {
  driftScore,
  findOrdinaryShare,
  nextDriftScore,
  recoveredScore,
  type FieldHistory,
  type FieldOutcome,
} from './drift-score.ts';
import type { FieldReading } from './field-reading.ts';

/** Responses that one parser reads: `listing`, `page`, `chart` or `search/<provider>`. */
export interface FieldSource {
  store: StoreName;
  source: string;
}

export interface SourceField extends FieldSource {
  field: string;
}

export interface FieldCount extends SourceField {
  onDate: UtcDay;
  read: number;
  missing: number;
  lost: number;
}

interface FieldState {
  of: SourceField;
  ordinaryShare: number | null;
  score: number;
  isDrifting: boolean;
  /** The drift is stored, and was begun by this process or by another one. */
  isStored: boolean;
  lostOn: UtcDay;
  lostSubjects: Set<string>;
}

/**
 * Counts what is read of each field and notices when one loses its values, in memory and at once:
 * a response is counted before it is stored. `syncFieldWatch` writes the counts every few seconds,
 * so a crash loses those of the last seconds, and shares drifts between processes.
 */
export class FieldWatch {
  private readonly states = new Map<string, FieldState>();
  private counts = new Map<string, FieldCount>();
  /** The day whose history was loaded. */
  historyDay: UtcDay | null = null;

  add(at: FieldSource & { day: UtcDay }, readings: readonly FieldReading[]): void {
    for (const { subject, read, missing, lost } of readings) {
      for (const field of read) this.countField(at, field, 'read', subject);
      for (const field of missing)
        this.countField(at, field, lost.includes(field) ? 'lost' : 'missing', subject);
    }
  }

  listDrifting({ store, source }: FieldSource): string[] {
    return [...this.states.values()]
      .filter(({ of, isDrifting }) => isDrifting && of.store === store && of.source === source)
      .map(({ of }) => of.field);
  }

  /** The counts since the last call. */
  takeCounts(): FieldCount[] {
    const taken = [...this.counts.values()];
    this.counts = new Map();
    return taken;
  }

  /** Gives counts back that could not be written. */
  returnCounts(counts: readonly FieldCount[]): void {
    for (const { onDate, read, missing, lost, ...of } of counts) {
      const count = this.countOf(of, onDate);
      count.read += read;
      count.missing += missing;
      count.lost += lost;
    }
  }

  setHistories(day: UtcDay, histories: readonly (SourceField & FieldHistory)[]): void {
    for (const state of this.states.values()) state.ordinaryShare = null;
    for (const { days, readings, lost, ...of } of histories)
      this.stateOf(of).ordinaryShare = findOrdinaryShare({ days, readings, lost });
    this.historyDay = day;
  }

  /** The drifts that began or ended here and are not stored as such. */
  listTransitions(): { began: SourceField[]; ended: SourceField[] } {
    const of = (states: FieldState[]) => states.map((state) => state.of);
    const changed = [...this.states.values()].filter(
      ({ isDrifting, isStored }) => isDrifting !== isStored,
    );
    return {
      began: of(changed.filter(({ isDrifting }) => isDrifting)),
      ended: of(changed.filter(({ isStored }) => isStored)),
    };
  }

  /** Takes over the stored drifts: some began, and some ended, in another process. */
  setStoredDrifts(stored: readonly SourceField[]): void {
    const open = new Set(stored.map((of) => this.stateOf(of)));
    for (const state of this.states.values()) {
      const isStored = open.has(state);
      if (isStored && !state.isStored)
        Object.assign(state, { isDrifting: true, score: driftScore });
      if (!isStored && state.isStored) Object.assign(state, { isDrifting: false, score: 0 });
      state.isStored = isStored;
    }
  }

  private countField(
    at: FieldSource & { day: UtcDay },
    field: string,
    outcome: FieldOutcome | 'missing',
    subject: string,
  ): void {
    const of = { store: at.store, source: at.source, field };
    const count = this.countOf(of, at.day);
    if (outcome === 'read') count.read += 1;
    else count.missing += 1;
    if (outcome === 'lost') count.lost += 1;
    if (outcome !== 'missing') this.weigh(this.stateOf(of), outcome, { subject, day: at.day });
  }

  private weigh(
    state: FieldState,
    outcome: FieldOutcome,
    { subject, day }: { subject: string; day: UtcDay },
  ): void {
    if (state.ordinaryShare === null) return;
    if (outcome === 'lost' && !isFirstLoss(state, subject, day)) return;
    state.score = nextDriftScore(state.score, outcome, state.ordinaryShare);
    if (state.score >= driftScore) state.isDrifting = true;
    if (state.score < recoveredScore) state.isDrifting = false;
  }

  private stateOf(of: SourceField): FieldState {
    const key = `${of.store} ${of.source} ${of.field}`;
    let state = this.states.get(key);
    if (state === undefined) {
      const { store, source, field } = of;
      state = {
        of: { store, source, field },
        ordinaryShare: null,
        score: 0,
        isDrifting: false,
        isStored: false,
        lostOn: '',
        lostSubjects: new Set(),
      };
      this.states.set(key, state);
    }
    return state;
  }

  private countOf(of: SourceField, onDate: UtcDay): FieldCount {
    const key = `${onDate} ${of.store} ${of.source} ${of.field}`;
    let count = this.counts.get(key);
    if (count === undefined) {
      count = { ...of, onDate, read: 0, missing: 0, lost: 0 };
      this.counts.set(key, count);
    }
    return count;
  }
}

/** An app that lost its subtitle lost it in all of its countries, which is one loss. */
function isFirstLoss(state: FieldState, subject: string, day: UtcDay): boolean {
  if (state.lostOn !== day) Object.assign(state, { lostOn: day, lostSubjects: new Set() });
  if (state.lostSubjects.has(subject)) return false;
  // While the field drifts nothing depends on it, and the set stays small.
  if (!state.isDrifting) state.lostSubjects.add(subject);
  return true;
}
