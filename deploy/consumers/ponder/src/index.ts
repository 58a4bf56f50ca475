import { ponder } from 'ponder:registry';
import { account, transfer, vault } from 'ponder:schema';
import { zeroAddress } from 'viem';
import { tokenAbi, vaultAbi } from '../abis';

ponder.on('Token:Transfer', async ({ event, context }) => {
  const { from, to, value } = event.args;
  // Ponder calls the contract at the height of the event's block.
  const balanceAfter = await context.client.readContract({
    abi: tokenAbi,
    address: event.log.address,
    functionName: 'balanceOf',
    args: [to],
  });
  await context.db.insert(transfer).values({
    id: event.id,
    from,
    to,
    value,
    block: event.block.number,
    transaction: event.transaction.hash,
    energy: event.transactionReceipt.gasUsed,
    balanceAfter,
  });
  const changes = [
    { address: from, change: -value },
    { address: to, change: value },
  ];
  for (const { address, change } of changes) {
    if (address === zeroAddress) continue;
    await context.db
      .insert(account)
      .values({ address, balance: change })
      .onConflictDoUpdate((row) => ({ balance: row.balance + change }));
  }
});

ponder.on('Factory:VaultCreated', async ({ event, context }) => {
  const { vault: address, owner } = event.args;
  await context.db.insert(vault).values({ address, owner, deposited: 0n, deposits: 0, total: 0n });
});

ponder.on('Vault:Deposited', async ({ event, context }) => {
  const { address } = event.log;
  const total = await context.client.readContract({ abi: vaultAbi, address, functionName: 'total' });
  await context.db
    .update(vault, { address })
    .set((row) => ({ deposited: row.deposited + event.args.value, deposits: row.deposits + 1, total }));
});
