/** The module that judges claims, fetched when it is first needed. */
import load, { judged } from '../../pkg-claims/backfill_claims.js';

await load({ module_or_path: new URL(BUILT.claims, import.meta.url) });

export { judged };
