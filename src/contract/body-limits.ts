/** The limit for all request bodies except imports. */
export const bodyBytesMax = 256 * 1024;

/** The limit of characters of a file, or of a part of one, in one request. */
export const importTextMax = 250_000;

/** The limit of bytes of a workspace's export: as many as the parts of an import may have. */
export const exportBytesMax = 4 * 1024 ** 3;

/** A code unit takes a byte at least, and a part may be one short: it splits no surrogate pair. */
export const importPartsMax = Math.ceil(exportBytesMax / (importTextMax - 1));

/** JSON may take six bytes for one character; the rest is for the fields beside the text. */
export const importBytesMax = 6 * importTextMax + 16_384;

/** The limit of bytes of a part of a popularity file, and of their base64 in one request. */
export const popularityPartBytes = 750_000;
export const popularityPartCharacters = (popularityPartBytes / 3) * 4;

/** The limit of bytes of a zip of texts, and of their base64 in one request. */
export const listingZipBytes = 1_100_000;
export const listingZipCharacters = Math.ceil(listingZipBytes / 3) * 4;

/** The limit of bytes of a zip that is read while it comes, and the time that it may take. */
export const largeZipBytes = 512 * 1024 * 1024;
export const largeZipMs = 10 * 60_000;

/** The same for a part of a history of another tool. */
export const historyPartBytes = 750_000;
export const historyPartCharacters = (historyPartBytes / 3) * 4;
