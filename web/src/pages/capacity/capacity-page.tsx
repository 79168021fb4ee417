export function CapacityPage() {
  return null;
}
