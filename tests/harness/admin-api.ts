import { startApi, type Account, type TestApi } from './api.ts';

export const adminEmail = 'operator@example.org';

/** An API with plans, and its operator. */
export async function startAdminApi(): Promise<{ api: TestApi; operator: Account }> {
  const api = await startApi({
    settings: { billingEnabled: true, operatorEmails: [adminEmail] },
  });
  return { api, operator: await api.signUp({ email: adminEmail }) };
}
