/** What one reading of a listing or of a list of results says of the fields of its source. */
export interface FieldReading {
  /** The listing or the market; several losses of one subject on a day count once. */
  subject: string;
  /** The fields with a value. */
  read: string[];
  /** The fields without one, also those whose form no parser knows. */
  missing: string[];
  /** The missing fields whose value was there before. */
  lost: string[];
}

/** True for null, an empty list, and false: a store says "no" by leaving a fact out. */
export function isAbsent(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  );
}

/** Compares a reading with the fields that are known to have a value. */
export function compareReading(
  subject: string,
  fields: readonly string[],
  reading: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
): FieldReading {
  const missing = fields.filter((field) => isAbsent(reading[field]));
  return {
    subject,
    read: fields.filter((field) => !missing.includes(field)),
    missing,
    lost: missing.filter((field) => known.has(field)),
  };
}
