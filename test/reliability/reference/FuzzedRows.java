import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.tron.common.utils.ByteArray;
import org.tron.core.db.Manager;
import org.tron.core.db2.common.Key;
import org.tron.core.db2.common.Value;
import org.tron.core.db2.common.WrappedByteArray;
import org.tron.core.db2.core.Chainbase;
import org.tron.core.db2.core.Snapshot;
import org.tron.core.db2.core.SnapshotImpl;
import org.tron.core.db2.core.SnapshotManager;
import org.tron.core.store.AccountAssetStore;

/**
 * Prints rows of java-tron's stores as JSON, keys and values in hex: {"store":{"key":"value" or null}}. Prints all rows, or the rows of
 * snapshots that were added or removed.
 */
class FuzzedRows {
  /** TRC10 balances. java-tron moves them out of an account row when it writes the row to disk, so they are printed with each account. */
  private final AccountAssetStore balances;
  private final Map<WrappedByteArray, Set<WrappedByteArray>> printed = new HashMap<>();
  private final Map<String, Chainbase> stores = new TreeMap<>();
  private final Map<String, List<Snapshot>> seen = new HashMap<>();

  FuzzedRows(Manager manager, Set<String> names) {
    balances = manager.getAccountAssetStore();
    for (Chainbase store : ((SnapshotManager) manager.getRevokingStore()).getDbs()) {
      if (names.contains(store.getDbName())) {
        stores.put(store.getDbName(), store);
      }
    }
  }

  String all() {
    StringJoiner text = new StringJoiner(",", "{", "}");
    StringJoiner assets = new StringJoiner(",", "{", "}");
    for (Map.Entry<String, Chainbase> store : stores.entrySet()) {
      StringJoiner rows = new StringJoiner(",", "{", "}");
      Iterator<Map.Entry<byte[], byte[]>> each = store.getValue().iterator();
      while (each.hasNext()) {
        Map.Entry<byte[], byte[]> row = each.next();
        // After a rollback, java-tron's iterator may also return rows of the removed blocks, so each value is read again.
        rows.add(rowOf(row.getKey(), store.getValue().getUnchecked(row.getKey())));
        if (store.getKey().equals("account")) {
          addAssets(WrappedByteArray.of(row.getKey()), assets);
        }
      }
      text.add("\"" + store.getKey() + "\":" + rows);
    }
    changed();
    return text.add("\"account-asset\":" + assets).toString();
  }

  String changed() {
    return textOf(this::touched, this::addAssets);
  }

  /** Returns the rows of the newest snapshot. The next call of `changed` returns them again. */
  String onTop() {
    return textOf(store -> keysOf(store.getHead()),
        (account, assets) -> assetsOf(account).forEach((key, value) -> assets.add(rowOf(key.getBytes(), value))));
  }

  /** Returns the rows of some keys of each store, and the TRC10 balances of the accounts among them. */
  private String textOf(Function<Chainbase, Set<WrappedByteArray>> keys, BiConsumer<WrappedByteArray, StringJoiner> tokens) {
    StringJoiner text = new StringJoiner(",", "{", "}");
    StringJoiner assets = new StringJoiner(",", "{", "}");
    for (Map.Entry<String, Chainbase> store : stores.entrySet()) {
      StringJoiner rows = new StringJoiner(",", "{", "}");
      for (WrappedByteArray key : keys.apply(store.getValue())) {
        rows.add(rowOf(key.getBytes(), store.getValue().getUnchecked(key.getBytes())));
        if (store.getKey().equals("account")) {
          tokens.accept(key, assets);
        }
      }
      text.add("\"" + store.getKey() + "\":" + rows);
    }
    return text.add("\"account-asset\":" + assets).toString();
  }

  private void addAssets(WrappedByteArray account, StringJoiner assets) {
    Map<WrappedByteArray, byte[]> rows = assetsOf(account);
    rows.forEach((key, value) -> assets.add(rowOf(key.getBytes(), value)));
    rows.values().removeIf(value -> value == null);
    printed.put(account, new HashSet<>(rows.keySet()));
  }

  /** Returns the TRC10 balances of an account; null for a balance that was printed before and does not exist any more. */
  private Map<WrappedByteArray, byte[]> assetsOf(WrappedByteArray account) {
    Map<WrappedByteArray, byte[]> rows = balances.prefixQuery(account.getBytes());
    printed.getOrDefault(account, new HashSet<>()).stream().filter(key -> !rows.containsKey(key)).forEach(key -> rows.put(key, null));
    return rows;
  }

  /** Returns the keys in snapshots that were added or removed since the last call. */
  private Set<WrappedByteArray> touched(Chainbase store) {
    String name = store.getDbName();
    List<Snapshot> now = new ArrayList<>();
    for (Snapshot at = store.getHead(); Snapshot.isImpl(at); at = at.getPrevious()) {
      now.add(at);
    }
    List<Snapshot> before = seen.getOrDefault(name, new ArrayList<>());
    Set<WrappedByteArray> keys = new HashSet<>();
    for (Snapshot layer : now) {
      if (before.stream().noneMatch(other -> other == layer)) {
        keys.addAll(keysOf(layer));
      }
    }
    for (Snapshot layer : before) {
      if (now.stream().anyMatch(other -> other == layer)) {
        break;
      }
      keys.addAll(keysOf(layer));
    }
    seen.put(name, now);
    return keys;
  }

  private static Set<WrappedByteArray> keysOf(Snapshot layer) {
    Set<WrappedByteArray> keys = new HashSet<>();
    for (Map.Entry<Key, Value> row : ((SnapshotImpl) layer).getDb()) {
      keys.add(WrappedByteArray.of(row.getKey().getBytes()));
    }
    return keys;
  }

  private static String rowOf(byte[] key, byte[] value) {
    return "\"" + ByteArray.toHexString(key) + "\":" + (value == null ? "null" : "\"" + ByteArray.toHexString(value) + "\"");
  }
}
