/** The languages of the dashboard. The first page needs these, and none of the other lists. */
export const languages = ['en', 'de', 'ja'] as const;
export type Language = (typeof languages)[number];
