export type Fields = Readonly<Record<string, unknown>>;

export interface Merge<T extends Fields> {
  /** Fields that both changed, to different values. */
  conflicts: (keyof T & string)[];
  /** Fields that only the others changed. */
  theirs: (keyof T & string)[];
  /** The others' state with my changes. */
  merged: T;
}

/** A three-way merge of two changes of `base`, field by field. */
export function mergeFields<T extends Fields>(base: T, mine: T, theirs: T): Merge<T> {
  const names = Object.keys({ ...theirs, ...mine }) as (keyof T & string)[];
  const isChanged = (of: T, name: keyof T) => !isEqual(of[name], base[name]);
  const mineAlone = names.filter((name) => isChanged(mine, name));
  return {
    conflicts: mineAlone.filter(
      (name) => isChanged(theirs, name) && !isEqual(mine[name], theirs[name]),
    ),
    theirs: names.filter((name) => isChanged(theirs, name) && !isChanged(mine, name)),
    merged: { ...theirs, ...Object.fromEntries(mineAlone.map((name) => [name, mine[name]])) },
  };
}

/** The fields in which two states differ. */
export function listChanged<T extends Fields>(from: T, to: T): (keyof T & string)[] {
  return (Object.keys({ ...from, ...to }) as (keyof T & string)[]).filter(
    (name) => !isEqual(from[name], to[name]),
  );
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}
