const commas = /[,，、､،]/;

/**
 * The tags of a field, of which new ones are split at every kind of comma. The field splits at a
 * pressed comma only, and an input method of Chinese or Japanese presses none.
 */
export function splitNewTags(tags: readonly string[], before: readonly string[]): string[] {
  const split = (tag: string) =>
    [...new Set(tag.split(commas).map((name) => name.trim()))].filter(
      (name) => name !== '' && !before.includes(name),
    );
  return tags.flatMap((tag) => (before.includes(tag) ? [tag] : split(tag)));
}
