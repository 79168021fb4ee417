export function KeywordPage() {
  return null;
}
