import t from 'tap';
import { BanList } from '../../../../src/p2p/transport/ban-list.js';

// Reference: ChannelManager.banNode.
t.test('ends a ban by time and does not extend an active one', async (t) => {
  let time = 0;
  const bans = new BanList(() => time);
  bans.ban('a', 100);
  bans.ban('a', 1000);
  time = 99;
  t.ok(bans.isBanned('a'));
  time = 100;
  t.notOk(bans.isBanned('a'));
  bans.ban('a', 50);
  t.ok(bans.isBanned('a'));
  t.notOk(bans.isBanned('b'));
});

t.test('bans 2,000 addresses at once', async (t) => {
  const bans = new BanList(() => 0);
  for (let i = 0; i <= 2000; i++) bans.ban(`${i}`, 100);
  t.same([bans.isBanned('0'), bans.isBanned('1'), bans.isBanned('2000')], [false, true, true]);
});
