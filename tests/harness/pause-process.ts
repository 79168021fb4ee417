/** Freezes one of our processes; the returned function resumes it. */
export function pauseProcess(pid: number): () => void {
  process.kill(pid, 'SIGSTOP');
  return () => process.kill(pid, 'SIGCONT');
}
