import type { ExplainedStatement, PlanNode } from './explain-statements.ts';

const maxFactor = 100;
/** Fewer rows than this cost little, however wrong the estimate. */
const leastRows = 1_000;

/** Scans that read a growing table from one end to the other. */
export function findWholeScans(
  explained: readonly ExplainedStatement[],
  growing: ReadonlySet<string>,
): string[] {
  return toFindings(explained, (node) =>
    node['Node Type'] === 'Seq Scan' && growing.has(node['Relation Name'] ?? '')
      ? node['Relation Name']
      : undefined,
  );
}

/** Nodes that return far more or far fewer rows than expected. */
export function findWrongEstimates(explained: readonly ExplainedStatement[]): string[] {
  const ran = explained.filter(({ hasRun }) => hasRun);
  return toFindings(ran, (node, parents) => {
    const [expected, actual] = [node['Plan Rows'], node['Actual Rows'] ?? 0];
    // A limit ends the work below it early, and a join may end one of its sides.
    if ((node['Actual Loops'] ?? 0) === 0 || parents.some(endsEarly)) return undefined;
    const [low, high] = [Math.min(expected, actual), Math.max(expected, actual)];
    return high >= leastRows && high > maxFactor * Math.max(1, low)
      ? `${node['Node Type']} ${node['Relation Name'] ?? ''} ${expected} for ${actual}`
      : undefined;
  });
}

const endsEarly = (node: PlanNode): boolean =>
  ['Limit', 'Merge Join', 'LockRows'].includes(node['Node Type']) || node['Node Type'] === 'Result';

function toFindings(
  explained: readonly ExplainedStatement[],
  find: (node: PlanNode, parents: readonly PlanNode[]) => string | undefined,
): string[] {
  const findings = explained.flatMap(({ name, plan }) =>
    walk(plan, []).flatMap(({ node, parents }) => {
      const finding = find(node, parents);
      return finding === undefined ? [] : [`${name}: ${finding.trim()}`];
    }),
  );
  return [...new Set(findings)].sort();
}

function walk(
  node: PlanNode,
  parents: readonly PlanNode[],
): { node: PlanNode; parents: readonly PlanNode[] }[] {
  return [
    { node, parents },
    ...(node.Plans ?? []).flatMap((child) => walk(child, [...parents, node])),
  ];
}
