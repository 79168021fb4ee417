import { startApi, type Account, type TestApi } from './api.ts';

export const operatorEmail = 'operator@example.org';

/** An API with plans, and who runs the instance. */
export async function startOperatedApi(): Promise<{ api: TestApi; operator: Account }> {
  const api = await startApi({
    settings: { billingEnabled: true, operatorEmails: [operatorEmail] },
  });
  return { api, operator: await api.signUp({ email: operatorEmail }) };
}
