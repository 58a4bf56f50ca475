// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// A token with the events of TRC20.
contract Token {
    string public constant name = "Example";
    string public constant symbol = "EXA";
    uint8 public constant decimals = 6;
    uint256 public immutable totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(uint256 supply) {
        totalSupply = supply;
        balanceOf[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return move(msg.sender, to, value);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        return move(from, to, value);
    }

    function move(address from, address to, uint256 value) private returns (bool) {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}

/// Counts what its users deposit. A factory creates it.
contract Vault {
    address public immutable owner;
    uint256 public total;

    event Deposited(address indexed from, uint256 value);

    constructor(address owner_) {
        owner = owner_;
    }

    function deposit(uint256 value) external {
        total += value;
        emit Deposited(msg.sender, value);
    }
}

/// Creates vaults and announces their addresses.
contract Factory {
    event VaultCreated(address indexed vault, address indexed owner);

    function createVault() external {
        Vault vault = new Vault(msg.sender);
        emit VaultCreated(address(vault), msg.sender);
    }
}
