import type { Services } from '#domain/base/context.ts';
import type { Db } from '#db/database.ts';

/**
 * Services in which every transaction of the system role waits before it begins; `reached` resolves
 * with the first.
 */
export function holdTransactions<Given extends Services>(
  services: Given,
): { services: Given; reached: Promise<void>; release: () => void } {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = new Proxy(services.systemDb, {
    get(db, name) {
      if (name !== 'transaction') return bound(db, name);
      return () => ({
        execute: async (work: never) => {
          reached.resolve();
          await released.promise;
          return db.transaction().execute(work);
        },
      });
    },
  });
  return {
    services: { ...services, systemDb: held },
    reached: reached.promise,
    release: released.resolve,
  };
}

function bound(db: Db, name: string | symbol): unknown {
  const value: unknown = Reflect.get(db, name, db);
  return typeof value === 'function' ? value.bind(db) : value;
}
