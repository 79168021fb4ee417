/** Hands the browser a file to keep. */
export function saveFile(name: string, content: string | Blob, type = 'text/plain'): void {
  const url = URL.createObjectURL(
    typeof content === 'string' ? new Blob([content], { type: `${type};charset=utf-8` }) : content,
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export type CsvValue = string | number | bigint | null | undefined;

/** Rows as CSV; what a spreadsheet would take for a formula is made text, null is empty. */
export function writeCsv(rows: readonly (readonly CsvValue[])[]): string {
  return rows.map((row) => row.map(writeCell).join(',')).join('\r\n') + '\r\n';
}

function writeCell(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
