/** One reading of a listing or of a list of results, field by field of its source. */
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

/**
 * True for a fact that is not there. A store says so with null, an empty list, false, or zero
 * ratings.
 */
export function isAbsent(field: string, value: unknown): boolean {
  if (value === null || value === undefined || value === false) return true;
  if (Array.isArray(value)) return value.every((item) => item === 0);
  return field === 'ratingCount' && value === 0;
}

/** Compares a reading with the fields that are known to have a value. */
export function compareReading(
  subject: string,
  fields: readonly string[],
  reading: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
): FieldReading {
  const missing = fields.filter((field) => isAbsent(field, reading[field]));
  return {
    subject,
    read: fields.filter((field) => !missing.includes(field)),
    missing,
    lost: missing.filter((field) => known.has(field)),
  };
}
