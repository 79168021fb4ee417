/** A process reports this about itself on HEALTH_SOCKET. */
export interface HealthReport {
  role: string;
  /** `starting` until every part of the role is up. */
  state: 'starting' | 'ok' | 'failing';
  uptimeSeconds: number;
  /** Empty while starting, and for `/live`. */
  checks: HealthCheck[];
}

export interface HealthCheck {
  name: string;
  ok: boolean;
}
