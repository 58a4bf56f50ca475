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
 * Hears of each account that java-tron stores, changed or not: in a block as a whole, and with proposal 25 in force in each of its
 * transactions, there with balance and allowance.
 */
class StoredAccounts extends AccountStateCallBack {
  private final List<String> told = new ArrayList<>();
  private TreeSet<String> inBlock = new TreeSet<>();
  private final TreeMap<String, String> inTransaction = new TreeMap<>();

  /** Stands in the place of what java-tron tells. */
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
    Field told = AccountStore.class.getDeclaredField("accountStateCallBackUtils");
    told.setAccessible(true);
    told.set(manager.getAccountStore(), this);
  }

  @Override
  public void preExecute(BlockCapsule block) {
    SteeredNode.forgetCosts();
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
      told.add(textOf("transaction", inTransaction.entrySet().stream().map(each -> each.getKey() + each.getValue())));
    }
  }

  void forget() {
    told.clear();
    inBlock = new TreeSet<>();
  }

  /** Since the last call, as JSON: a text for each transaction, and behind those of a block one for all of it. */
  String take() {
    endBlock();
    StringJoiner text = new StringJoiner(",", "[", "]");
    told.forEach(text::add);
    forget();
    return text.toString();
  }

  private void endBlock() {
    if (!inBlock.isEmpty()) {
      told.add(textOf("block", inBlock.stream()));
    }
    inBlock = new TreeSet<>();
  }

  private static String textOf(String what, Stream<String> accounts) {
    return "\"" + what + ":" + accounts.collect(Collectors.joining(",")) + "\"";
  }
}
