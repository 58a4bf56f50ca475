/** GraphQL schema of decoded calls and events, tokens, and resource use per block. */
export const decodedSchema = /* GraphQL */ `
"An event or a call, decoded with the first ABI that matches: the operator's ABI, the contract's ABI on the chain, the standards TRC20, TRC721 and TRC1155."
type Decoded {
  name: String!
  "Solidity declaration, for example Transfer(address indexed from, uint256 value)."
  declaration: String!
  "Parameters in the order of the declaration."
  parameters: [DecodedParameter!]!
}

"A parameter with its value."
type DecodedParameter {
  "Name of the parameter. Empty if the ABI has no name for the parameter."
  name: String!
  "Solidity type as in a signature. A struct is displayed as the list of its field types."
  type: String!
  "Value as text: numbers in decimal, addresses in Base58Check, bytes in hex, lists and structs as JSON. For an indexed string, bytes, list or struct, the hash of the value."
  value: String!
}

"Name, symbol and decimals of a token, as in token_info of /v1. A field is null if the contract does not return the value."
type Token {
  "Id of a TRC10 token, or address of a token contract."
  id: String!
  name: String
  symbol: String
  "Number of decimal places of amounts of this token."
  decimals: Int
}

"Resources used by all transactions of a block."
type BlockUsage {
  "Total energy used, including penalties."
  energy: Long!
  "Bandwidth covered by stake or the free allowance, in bytes."
  bandwidth: Long!
}

"Total stake of the network after a block, and the resources that all stakers share."
type Network {
  "Height of the block."
  height: Long!
  "Total stake for energy, in TRX."
  energyStake: Long!
  "Total stake for bandwidth, in TRX."
  bandwidthStake: Long!
  "Energy per day that is shared in proportion to stake for energy."
  energyLimit: Long!
  "Bandwidth per day that is shared in proportion to stake for bandwidth, in bytes."
  bandwidthLimit: Long!
}

extend type Log {
  "The decoded event. Null if no ABI and no standard matches."
  event: Decoded
}

extend type Transaction {
  "The decoded contract call. Null for other transactions, and if no ABI and no standard matches."
  call: Decoded
  "TRX and token transfers in execution order, including transfers of stored internal transactions. Empty while pending."
  transfers: [Transfer!]!
}

extend type Block {
  usage: BlockUsage!
}

extend type Query {
  "Token by TRC10 id or contract address. Calls the contract for name, symbol and decimals. Null if the contract returns none of these values."
  token(id: String!): Token
  "Total stake and resources of the network. \`at\` is a height; default: the head."
  network(at: Long): Network!
}
`;
