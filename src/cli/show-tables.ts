/** Shows at a terminal which table is complete, in one line. */
export function showTables(): (table: string, tables: number) => void {
  let done = 0;
  return (table, tables) => {
    done += 1;
    if (!process.stderr.isTTY) return;
    const line = `  ${done} of ${tables}  ${table}`.padEnd(60);
    process.stderr.write(done === tables ? `\r${' '.repeat(60)}\r` : `\r${line}`);
  };
}
