// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

// Contracts of the generated day. Each has the storage reads, the storage writes, the calls and the events of a kind of
// contract that is often called on the main net. The constructors are not run: the benchmark writes the storage rows.

/// A token with the checks of a centrally issued dollar token: pause, blacklist, fee, replaced contract.
contract Token {
  address public owner;
  bool public paused;
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(address => uint256)) public allowance;
  mapping(address => bool) public isBlackListed;
  uint256 public totalSupply;
  uint256 public feeRate;
  uint256 public maximumFee;
  address public upgradedAddress;
  bool public deprecated;

  event Transfer(address indexed from, address indexed to, uint256 value);
  event Approval(address indexed owner, address indexed spender, uint256 value);

  function transfer(address to, uint256 value) external returns (bool) {
    require(!paused, "paused");
    require(!isBlackListed[msg.sender], "blacklisted");
    require(!deprecated, "deprecated");
    move(msg.sender, to, value);
    return true;
  }

  function transferFrom(address from, address to, uint256 value) external returns (bool) {
    require(!paused, "paused");
    require(!isBlackListed[from], "blacklisted");
    require(!deprecated, "deprecated");
    uint256 allowed = allowance[from][msg.sender];
    if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
    move(from, to, value);
    return true;
  }

  function approve(address spender, uint256 value) external returns (bool) {
    require(!paused, "paused");
    allowance[msg.sender][spender] = value;
    emit Approval(msg.sender, spender, value);
    return true;
  }

  function move(address from, address to, uint256 value) private {
    uint256 fee = (value * feeRate) / 10000;
    if (fee > maximumFee) fee = maximumFee;
    balanceOf[from] -= value;
    balanceOf[to] += value - fee;
    if (fee > 0) {
      balanceOf[owner] += fee;
      emit Transfer(from, owner, fee);
    }
    emit Transfer(from, to, value - fee);
  }
}

/// Two tokens whose product of reserves stays constant.
contract Pair {
  address public token0;
  address public token1;
  uint112 private reserve0;
  uint112 private reserve1;
  uint32 private updatedAt;
  uint256 public price0Sum;
  uint256 public price1Sum;
  uint256 private unlocked;

  event Swap(address indexed sender, uint256 in0, uint256 in1, uint256 out0, uint256 out1, address indexed to);
  event Sync(uint112 reserve0, uint112 reserve1);

  function getReserves() external view returns (uint112, uint112, uint32) {
    return (reserve0, reserve1, updatedAt);
  }

  function swap(uint256 out0, uint256 out1, address to) external {
    require(unlocked == 1, "locked");
    unlocked = 0;
    (uint112 old0, uint112 old1) = (reserve0, reserve1);
    require(out0 < old0 && out1 < old1, "liquidity");
    if (out0 > 0) Token(token0).transfer(to, out0);
    if (out1 > 0) Token(token1).transfer(to, out1);
    uint256 now0 = Token(token0).balanceOf(address(this));
    uint256 now1 = Token(token1).balanceOf(address(this));
    uint256 in0 = now0 > old0 - out0 ? now0 - (old0 - out0) : 0;
    uint256 in1 = now1 > old1 - out1 ? now1 - (old1 - out1) : 0;
    require(in0 > 0 || in1 > 0, "input");
    require((now0 * 1000 - in0 * 3) * (now1 * 1000 - in1 * 3) >= uint256(old0) * old1 * 1000000, "product");
    update(now0, now1, old0, old1);
    emit Swap(msg.sender, in0, in1, out0, out1, to);
    unlocked = 1;
  }

  function update(uint256 now0, uint256 now1, uint112 old0, uint112 old1) private {
    uint32 time = uint32(block.timestamp);
    unchecked {
      uint32 elapsed = time - updatedAt;
      if (elapsed > 0) {
        price0Sum += ((uint256(old1) << 112) / old0) * elapsed;
        price1Sum += ((uint256(old0) << 112) / old1) * elapsed;
      }
    }
    reserve0 = uint112(now0);
    reserve1 = uint112(now1);
    updatedAt = time;
    emit Sync(uint112(now0), uint112(now1));
  }
}

/// Finds the pair of two tokens, moves the input to the pair, and swaps.
contract Router {
  mapping(address => mapping(address => address)) public pairOf;

  function swapExactTokens(uint256 amountIn, uint256 outMin, address[] calldata path, address to, uint256 deadline)
    external
    returns (uint256 out)
  {
    require(deadline >= block.timestamp, "expired");
    Pair pair = Pair(pairOf[path[0]][path[1]]);
    (uint256 reserveIn, uint256 reserveOut, ) = pair.getReserves();
    bool isFirst = path[0] == pair.token0();
    if (!isFirst) (reserveIn, reserveOut) = (reserveOut, reserveIn);
    uint256 taxed = amountIn * 997;
    out = (taxed * reserveOut) / (reserveIn * 1000 + taxed);
    require(out >= outMin, "output");
    require(Token(path[0]).transferFrom(msg.sender, address(pair), amountIn), "input");
    pair.swap(isFirst ? 0 : out, isFirst ? out : 0, to);
  }
}

/// Pays a reward per second to the accounts that have deposited tokens.
contract Pool {
  struct User {
    uint256 amount;
    uint256 debt;
  }
  struct Term {
    uint64 since;
    uint64 deposits;
  }
  Token public token;
  Token public reward;
  uint256 public rewardPerSecond;
  uint256 public updatedAt;
  uint256 public rewardPerShare;
  uint256 public total;
  mapping(address => User) public users;
  mapping(address => Term) public terms;

  event Deposit(address indexed user, uint256 amount);
  event Claim(address indexed user, uint256 amount);

  function deposit(uint256 amount) external {
    if (block.timestamp > updatedAt && total > 0) {
      rewardPerShare += ((block.timestamp - updatedAt) * rewardPerSecond * 1e12) / total;
      updatedAt = block.timestamp;
    }
    User storage user = users[msg.sender];
    uint256 owed = (user.amount * rewardPerShare) / 1e12 - user.debt;
    if (owed > 0) {
      reward.transfer(msg.sender, owed);
      emit Claim(msg.sender, owed);
    }
    token.transferFrom(msg.sender, address(this), amount);
    total += amount;
    user.amount += amount;
    user.debt = (user.amount * rewardPerShare) / 1e12;
    Term storage term = terms[msg.sender];
    term.since = uint64(block.timestamp);
    term.deposits++;
    emit Deposit(msg.sender, amount);
  }
}
