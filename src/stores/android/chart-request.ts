import type { ChartName } from '#domain/base/ports.ts';

export const chartRpc = 'vyAe2';

const names: Record<ChartName, string> = {
  free: 'topselling_free',
  paid: 'topselling_paid',
  grossing: 'topgrossing',
};

/**
 * The page parts that a browser can show, and the fields that it requests for each kind of item in
 * each part.
 */
const pageParts = [
  64, 1, 195, 71, 8, 72, 9, 10, 11, 139, 12, 16, 145, 148, 150, 151, 152, 27, 30, 31, 96, 32, 34,
  163, 100, 165, 104, 169, 108, 110, 113, 55, 56, 57, 122,
];
const fieldParts = [
  1, 31, 104, 9, 8, 27, 12, 65, 110, 88, 11, 56, 55, 96, 10, 122, 72, 71, 64, 113, 139, 150, 169,
  165, 151, 163, 32, 16, 108, 100,
];
const fieldsByKind: readonly (readonly [kind: number, fields: readonly number[]])[] = [
  [
    7,
    [
      1, 73, 96, 103, 97, 58, 50, 92, 52, 112, 69, 19, 31, 101, 123, 74, 49, 80, 38, 20, 10, 14, 79,
      43, 42, 139,
    ],
  ],
  [9, [1, 7, 9, 24, 12, 31, 5, 15, 27, 8, 13, 10]],
  [17, [1, 7, 9, 25, 13, 31, 5, 41, 27, 8, 14, 10]],
  [10, [1, 7, 6, 9]],
  [1, [1, 5, 14, 38, 19, 29, 34, 4, 12, 11, 6, 30, 43, 40, 42, 16, 10, 7]],
  [4, [1, 3, 5, 4, 7, 6, 11, 19, 21, 17, 15, 12, 16, 20]],
  [3, [1, 5, 14, 4, 10, 17]],
  [2, [1, 5, 7, 4, 13, 16, 12, 18]],
];

/**
 * The argument of `vyAe2`, number for number as browsers send it. Without the long tables the
 * payload is null.
 */
export function chartArgument(query: {
  chart: ChartName;
  category: string | null;
  limit: number;
}): unknown {
  const nothing = [null, [[null, []]]];
  const shown = [
    [true],
    null,
    [[null, []]],
    ...nulls(4),
    [null, 2],
    ...nulls(6),
    [1],
    ...nulls(7),
    [1],
  ];
  const layout = [
    shown,
    nothing,
    [null, [[null, []]], null, [true]],
    nothing,
    ...nulls(4),
    [[[null, []]]],
    [[[null, []]]],
  ];
  const fields = fieldsByKind.flatMap(([kind, requested]) =>
    fieldParts.map((part) => [[kind, part], [requested]]),
  );
  const wants = [
    [8, [20, query.limit]],
    true,
    null,
    pageParts,
    [null, null, layout, [fields]],
    null,
    null,
    [[[1, 2], [10, 8, 9], [], []]],
  ];
  return [[null, wants, [2, names[query.chart], query.category ?? 'APPLICATION']]];
}

function nulls(count: number): null[] {
  return Array<null>(count).fill(null);
}
