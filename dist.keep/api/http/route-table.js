import { accountRoutes } from './routes/account-routes.js';
import { assetRoutes } from './routes/asset-routes.js';
import { blockRoutes } from './routes/block-routes.js';
import { buildRoutes } from './routes/build-routes.js';
import { chainRoutes, otherRoutes } from './routes/chain-routes.js';
import { shieldedRoutes } from './routes/shielded-routes.js';
import { stakeRoutes } from './routes/stake-routes.js';
import { transactionRoutes } from './routes/transaction-routes.js';
/** All handlers; one row is up to three paths. */
export const routes = [
    ...accountRoutes,
    ...assetRoutes,
    ...blockRoutes,
    ...buildRoutes,
    ...chainRoutes,
    ...shieldedRoutes,
    ...stakeRoutes,
    ...transactionRoutes,
];
const servers = {
    fullnode: { letter: 'F', context: '/wallet/', suffix: '' },
    solidity: { letter: 'S', context: '/walletsolidity/', suffix: 'OnSolidity' },
    pbft: { letter: 'P', context: '/walletpbft/', suffix: 'OnPBFT' },
};
/** Handlers that do not read their body through PostParams. */
const READS_BODY_ITSELF = new Set([
    'BroadcastHex',
    'CreateShieldedContractParameters',
    'EstimateEnergy',
    'GetMarketOrderById',
    'GetMarketOrderListByPair',
    'GetMarketPriceByPair',
    'GetPaginatedProposalList',
    'GetShieldTransactionHash',
    'GetZenPaymentAddress',
    'MarketSellAsset',
    'ParticipateAssetIssue',
    'ProposalApprove',
    'ProposalCreate',
    'ProposalDelete',
    'SetAccountId',
    'TransferAsset',
    'Transfer',
    'TriggerConstantContract',
    'TriggerSmartContract',
    'ValidateAddress',
    'VoteWitnessAccount',
    'WithdrawBalance',
    'WithdrawExpireUnfreeze',
]);
/** Handlers of a server by path. */
export function routesOf(server, { hasLaterQueries }) {
    const { letter, context, suffix } = servers[server];
    const served = routes
        .filter((route) => ((hasLaterQueries ? route.laterServers : undefined) ?? route.servers).includes(letter))
        .map((route) => ({ ...route, path: context + route.name, component: `${route.family}${suffix}Servlet` }))
        .map((route) => ({ ...route, readsForms: !READS_BODY_ITSELF.has(route.family) }));
    const others = otherRoutes.map((route) => ({
        ...route,
        component: `${route.family}Servlet`,
        readsForms: !READS_BODY_ITSELF.has(route.family),
    }));
    if (server === 'fullnode')
        served.push(...others);
    // The solidity server answers for the node under its usual path too.
    if (server === 'solidity') {
        served.push({ ...served.find(({ name }) => name === 'getnodeinfo'), path: '/wallet/getnodeinfo' });
    }
    return new Map(served.map((route) => [route.path, route]));
}
//# sourceMappingURL=route-table.js.map