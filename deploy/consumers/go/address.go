package main

import (
	"bytes"
	"crypto/sha256"
	"math/big"
	"regexp"
	"strings"
)

const (
	alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	// Bytes of an address: the prefix, 20 bytes of the hash, 4 bytes of the checksum.
	prefix, addressLength, checksumLength = 0x41, 21, 4
)

var assetID = regexp.MustCompile(`^[0-9]+$`)

// isAddress returns true for an address of the TRON network. A mistyped address would otherwise have no deposits, without
// an error.
func isAddress(text string) bool {
	number := new(big.Int)
	for _, digit := range text {
		value := strings.IndexRune(alphabet, digit)
		if value < 0 {
			return false
		}
		number.Add(number.Mul(number, big.NewInt(int64(len(alphabet)))), big.NewInt(int64(value)))
	}
	decoded := number.Bytes()
	if len(decoded) != addressLength+checksumLength || decoded[0] != prefix {
		return false
	}
	first := sha256.Sum256(decoded[:addressLength])
	second := sha256.Sum256(first[:])
	return bytes.Equal(second[:checksumLength], decoded[addressLength:])
}
