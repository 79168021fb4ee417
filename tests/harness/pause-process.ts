/** Freezes a process of ours; what it returns lets it go on. */
export function pauseProcess(pid: number): () => void {
  process.kill(pid, 'SIGSTOP');
  return () => process.kill(pid, 'SIGCONT');
}
