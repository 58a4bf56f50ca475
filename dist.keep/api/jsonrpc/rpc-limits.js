/** As release 4.7.2, which knows none of them. */
export const NO_RPC_LIMITS = {
    maxBlockRange: 0,
    maxSubTopics: 0,
    maxAddressSize: 0,
    maxLogFilterNum: 0,
    maxBlockFilterNum: 0,
    maxBatchSize: 0,
    maxResponseSize: 0,
};
//# sourceMappingURL=rpc-limits.js.map