/** The fields that managed Google Play requests for its results, number for number. */
const requestedFields = [
  96, 108, 72, 100, 27, 177, 183, 222, 8, 57, 169, 110, 11, 184, 16, 1, 139, 152, 194, 165, 68, 163,
  211, 9, 71, 31, 195, 12, 64, 151, 150, 148, 113, 104, 55, 56, 145, 32, 34, 10, 122,
];
const pageSize = 50;

/** The argument of `lGYRle`, as a browser sent it in 2025-12. */
export function enterpriseSearchArgument(phrase: string): unknown {
  const page = [[10, [10, pageSize]], null, null, requestedFields];
  return [[[null, null, null, null, [null, 1]], page, [phrase], 4, null, null, null, [null, 1]]];
}
