/**
 * The record with its known values for the fields that could not be read: their null says nothing
 * about the listing.
 */
export function keepUnread<Fields extends object>(
  read: Fields,
  known: Fields | null | undefined,
  unread: readonly string[],
): Fields {
  const kept = Object.entries(known ?? {}).filter(([field]) => unread.includes(field));
  return { ...read, ...Object.fromEntries(kept) };
}
