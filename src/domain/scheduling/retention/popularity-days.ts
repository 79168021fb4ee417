/** Published popularity is kept as long as Apple offers its weeks: 65 weeks. */
export const popularityDays = 65 * 7;
