import { createHash, timingSafeEqual } from 'node:crypto';
import type { Tx } from '#db/database.ts';
import {
  hasUsers,
  insertUser,
  lockInstance,
  updateSetupTokenHash,
} from '#db/queries/auth/users.ts';
import {
  insertMembership,
  insertWorkspace,
  type WorkspaceRow,
} from '#db/queries/workspaces/workspaces.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { trialDays } from '../billing/workspace-status.ts';
import { AppError, invalid, notFound } from '#domain/base/errors.ts';
import { mailConfirmation } from './confirm-email.ts';
import { hashPassword } from './password-hashing.ts';
import { openSession, type OpenedSession, type Visitor } from './open-session.ts';
import { checkPassword } from './password-rules.ts';

export interface SignUpInput {
  email: string;
  password: string;
  name?: string | undefined;
  workspaceName?: string | undefined;
  setupToken?: string | undefined;
}

/** The people who may sign up after the first account: invited ones, everybody, or nobody. */
export type SignUpMode = 'invite' | 'open' | 'closed';

export interface SignUpRules {
  mode: SignUpMode;
  /** The request came from this machine. */
  fromHere: boolean;
}

export interface SignedIn {
  user: { id: number; email: string; name: string | null };
  workspace: WorkspaceRow;
  session: OpenedSession;
}

/**
 * Creates an account and its workspace. The first one needs access to the machine or the setup
 * token.
 */
export async function signUp(
  services: Services,
  input: SignUpInput,
  rules: SignUpRules,
  visitor: Visitor,
): Promise<SignedIn> {
  if (rules.mode !== 'open' && (await hasUsers(services.systemDb))) throw notFound();
  checkPassword('password', input.password, input.email);
  const passwordHash = await hashPassword(input.password);
  const { isFirst, ...signedIn } = await inSystem(services, async (tx) => {
    const isFirst = await admit(tx, input, rules);
    const account = await createAccount(tx, services, {
      ...input,
      passwordHash,
      isConfirmed: isFirst,
    });
    const session = await openSession(
      tx,
      services,
      { userId: account.user.id, workspaceId: account.workspace.id },
      visitor,
    );
    return { ...account, session, isFirst };
  });
  if (!isFirst) mailConfirmation(services, signedIn.user);
  return signedIn;
}

/** True for the first account: its owner runs the instance, so its address counts as confirmed. */
async function admit(tx: Tx, input: SignUpInput, rules: SignUpRules): Promise<boolean> {
  const { setupTokenHash } = await lockInstance(tx);
  if (await hasUsers(tx)) {
    if (rules.mode !== 'open') throw notFound();
    return false;
  }
  if (!rules.fromHere && !matches(input.setupToken, setupTokenHash)) {
    throw new AppError(
      'forbidden',
      'The first account is created on the machine itself, or with the setup token: ' +
        'SETUP_TOKEN, or else the one that the log shows at start.',
    );
  }
  await updateSetupTokenHash(tx, null);
  return true;
}

export async function createAccount(
  tx: Tx,
  services: Pick<Services, 'clock' | 'settings'>,
  person: {
    email: string;
    passwordHash: string;
    name?: string | undefined;
    workspaceName?: string | undefined;
    isConfirmed: boolean;
  },
): Promise<Pick<SignedIn, 'user' | 'workspace'>> {
  const createdAt = services.clock.now();
  const name = person.name ?? null;
  const { email, passwordHash } = person;
  const userId = await insertUser(tx, {
    email,
    name,
    passwordHash,
    emailConfirmedAt: person.isConfirmed ? createdAt : null,
    createdAt,
  });
  if (userId === null) throw invalid('email', 'this address cannot be used');
  const workspaceName =
    person.workspaceName ??
    `${name ?? email.slice(0, email.indexOf('@'))}’s workspace`.slice(0, 80);
  const workspace = await insertWorkspace(tx, {
    name: workspaceName,
    ...initialStatus(services, createdAt),
    createdAt,
  });
  await insertMembership(tx, { workspaceId: workspace.id, userId, role: 'owner', createdAt });
  return { user: { id: userId, email, name }, workspace };
}

/** With billing on, every workspace begins with a trial. */
function initialStatus(
  { settings }: Pick<Services, 'settings'>,
  now: Date,
): { status: 'trial' | 'live'; trialEndsAt: Date | null } {
  if (!settings.billingEnabled) return { status: 'live', trialEndsAt: null };
  return { status: 'trial', trialEndsAt: new Date(now.getTime() + trialDays * 86_400_000) };
}

/**
 * Stores the hash of the setup token while there is no account: of the `given` one, or of the
 * `derived` one, which it returns for boot to print.
 */
export function storeSetupToken(
  services: Pick<Services, 'systemDb'>,
  { given, derived }: { given: string | null; derived: string },
): Promise<string | null> {
  return inSystem(services, async (tx) => {
    await lockInstance(tx);
    if (await hasUsers(tx)) return null;
    await updateSetupTokenHash(tx, hashOf(given ?? derived));
    return given === null ? derived : null;
  });
}

function matches(given: string | undefined, kept: Buffer | null): boolean {
  return given !== undefined && kept !== null && timingSafeEqual(hashOf(given), kept);
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
