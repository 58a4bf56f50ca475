import type { Route } from '../route.js';

/** Keys and notes of shielded contracts. */
export const shieldedRoutes: readonly Route[] = [];
