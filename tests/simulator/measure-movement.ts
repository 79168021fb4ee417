/**
 * The movement of a hundred positions from one day to the next, as medians and ninth deciles over
 * the days.
 */
export function measureMovement(days: readonly (readonly string[])[]) {
  const change: number[] = [];
  const entrants: number[] = [];
  const topChange: number[] = [];
  for (let day = 1; day < days.length; day++) {
    const before = new Map(days[day - 1]!.map((id, index) => [id, index]));
    const moves = days[day]!.map((id, index) =>
      before.has(id) ? Math.abs(index - before.get(id)!) : null,
    );
    const stayed = moves.filter((move) => move !== null);
    const top = moves.slice(0, 10).filter((move) => move !== null);
    change.push(mean(stayed));
    entrants.push(moves.length - stayed.length);
    topChange.push(mean(top));
  }
  return { change: deciles(change), entrants: deciles(entrants), topChange: deciles(topChange) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function deciles(values: readonly number[]): { p50: number; p90: number } {
  const sorted = [...values].sort((a, b) => a - b);
  return {
    p50: sorted[Math.floor(sorted.length * 0.5)]!,
    p90: sorted[Math.floor(sorted.length * 0.9)]!,
  };
}
