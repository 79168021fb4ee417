/**
 * Abbreviated months of some languages end with a full stop, and so do sentences that end with a
 * day: `seit 13. Nov..` becomes `seit 13. Nov.`
 */
export const keepOneFullStop = (text: string): string => text.replace(/(?<!\.)\.\.(?!\.)/g, '.');
