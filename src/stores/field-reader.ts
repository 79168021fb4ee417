/** Reads the fields of one record. */
export interface FieldReader<Name extends string> {
  /** The value; null for `undefined`, which is a value of an unexpected form, and noted. */
  read<Value>(name: Name, value: Value | undefined): Value | null;
  /** The names of the noted fields, each once. */
  readonly unread: Name[];
}

/**
 * A field that cannot be read costs the field and not the record. Its name is kept, because null
 * alone would look like a fact that the store does not have.
 */
export function createFieldReader<Name extends string>(): FieldReader<Name> {
  const unread: Name[] = [];
  return {
    unread,
    read(name, value) {
      if (value !== undefined) return value;
      if (!unread.includes(name)) unread.push(name);
      return null;
    },
  };
}

/** The first value that is there; `undefined` if there is none and one has an unexpected form. */
export function firstOf<Value>(...values: (Value | null | undefined)[]): Value | null | undefined {
  const found = values.find((value) => value !== undefined && value !== null);
  return found ?? (values.includes(undefined) ? undefined : null);
}
