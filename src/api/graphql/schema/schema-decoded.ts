/** What contracts' ABIs and tokens say of transactions, and what blocks used: sums and names beside the raw fields. */
export const decodedSchema = /* GraphQL */ `
"An event or a call by the ABI that was given, else the contract's on the chain, else by the standards TRC20, TRC721 and TRC1155."
type Decoded {
  name: String!
  "As Transfer(address indexed from, uint256 value)."
  declaration: String!
  "In the order of the declaration."
  parameters: [DecodedParameter!]!
}

"A value of a declaration."
type DecodedParameter {
  "Empty where the ABI gives none."
  name: String!
  "As in signatures: a struct by the types of its members."
  type: String!
  "Numbers decimal, addresses Base58Check, bytes hex, lists and structs JSON text. The hash of an indexed text, byte string, list or struct."
  value: String!
}

"What a token says of itself. A member is null where the contract does not answer, as in token_info of /v1."
type Token {
  "Id of the TRC10 token, or address of the contract."
  id: String!
  name: String
  symbol: String
  "Decimal places of its amounts."
  decimals: Int
}

"What all transactions of a block used."
type BlockUsage {
  "Energy, penalties included."
  energy: Long!
  "Bandwidth that stake or the free allowance paid, bytes."
  bandwidth: Long!
}

"What is staked in the whole network, and what it shares, after a block."
type Network {
  "The height that the answer is about."
  height: Long!
  "Stake for energy, TRX."
  energyStake: Long!
  "Stake for bandwidth, TRX."
  bandwidthStake: Long!
  "Energy that all stake for it shares in a day."
  energyLimit: Long!
  "Bandwidth that all stake for it shares in a day, bytes."
  bandwidthLimit: Long!
}

extend type Log {
  "Null when neither the contract's ABI nor a standard knows the event."
  event: Decoded
}

extend type Transaction {
  "Function that a smart contract was called with. Null for others, and when neither the contract's ABI nor a standard knows it."
  call: Decoded
  "TRX and tokens that it moved, in order, those of internal transactions that the receipt keeps included; none while it waits."
  transfers: [Transfer!]!
}

extend type Block {
  usage: BlockUsage!
}

extend type Query {
  "By id of a TRC10 token or address of a contract, which is asked. Null for a contract that answers neither name, symbol nor decimals."
  token(id: String!): Token
  network(at: Long): Network!
}
`;
