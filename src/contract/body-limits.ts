/** Of the bodies of all requests but imports. */
export const bodyBytesMax = 256 * 1024;

/** Characters that a file, or a part of one, may have in one request. */
export const importTextMax = 250_000;

/** What JSON makes of them at the most, six bytes of one character, and the fields beside them. */
export const importBytesMax = 6 * importTextMax + 16_384;
