import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.tron.common.utils.ByteArray;
import org.tron.core.capsule.AccountCapsule;
import org.tron.core.capsule.BlockCapsule;
import org.tron.core.db.Manager;
import org.tron.core.db.accountstate.AccountStateCallBackUtils;
import org.tron.core.db.accountstate.callback.AccountStateCallBack;
import org.tron.core.store.AccountStore;

/**
 * Records each account that java-tron stores, changed or not: per block, and after proposal 25 also per transaction, with balance and
 * allowance.
 */
class StoredAccounts extends AccountStateCallBack {
  private final List<String> records = new ArrayList<>();
  private TreeSet<String> inBlock = new TreeSet<>();
  private final TreeMap<String, String> inTransaction = new TreeMap<>();

  /** Replaces java-tron's own listener. */
  StoredAccounts(Manager manager) throws ReflectiveOperationException {
    Field listener = Manager.class.getDeclaredField("accountStateCallBack");
    listener.setAccessible(true);
    for (Class<?> type : new Class<?>[] {AccountStateCallBack.class, AccountStateCallBackUtils.class}) {
      for (Field field : type.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers())) {
          continue;
        }
        field.setAccessible(true);
        field.set(this, field.get(listener.get(manager)));
      }
    }
    listener.set(manager, this);
    Field storeListener = AccountStore.class.getDeclaredField("accountStateCallBackUtils");
    storeListener.setAccessible(true);
    storeListener.set(manager.getAccountStore(), this);
  }

  @Override
  public void preExecute(BlockCapsule block) {
    SteeredNode.resetCosts();
    endBlock();
    super.preExecute(block);
  }

  @Override
  public void preExeTrans() {
    super.preExeTrans();
    inTransaction.clear();
  }

  @Override
  public void accountCallBack(byte[] key, AccountCapsule item) {
    super.accountCallBack(key, item);
    inTransaction.put(ByteArray.toHexString(key), ":" + item.getBalance() + ":" + item.getAllowance());
    inBlock.add(ByteArray.toHexString(key));
  }

  @Override
  public void exeTransFinish() {
    super.exeTransFinish();
    if (allowGenerateRoot) {
      records.add(textOf("transaction", inTransaction.entrySet().stream().map(each -> each.getKey() + each.getValue())));
    }
  }

  void clear() {
    records.clear();
    inBlock = new TreeSet<>();
  }

  /** Returns the records since the last call as JSON: a text per transaction, followed by one text for their block. */
  String take() {
    endBlock();
    StringJoiner text = new StringJoiner(",", "[", "]");
    records.forEach(text::add);
    clear();
    return text.toString();
  }

  private void endBlock() {
    if (!inBlock.isEmpty()) {
      records.add(textOf("block", inBlock.stream()));
    }
    inBlock = new TreeSet<>();
  }

  private static String textOf(String kind, Stream<String> accounts) {
    return "\"" + kind + ":" + accounts.collect(Collectors.joining(",")) + "\"";
  }
}
