/** The first bytes of the parts of a zip, as a little-endian number. */
export const signatures = {
  file: 0x04034b50,
  directory: 0x02014b50,
  signature: 0x05054b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  locator64: 0x07064b50,
  descriptor: 0x08074b50,
} as const;
