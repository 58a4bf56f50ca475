package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

// tables creates the tables. The primary key of a deposit is its position in the chain, so a record that is read again
// changes nothing. The lock makes processes that start together create the tables one after the other, because a
// concurrent creation fails.
const tables = `
select pg_advisory_xact_lock(hashtext('tronicle.deposits'));
create table if not exists deposits (
  block_hash text, transfer_index integer, block_number bigint not null, time timestamptz not null,
  finality text not null, transaction_id text, kind text not null, standard text not null, token text not null,
  token_id text, from_address text, to_address text not null, amount numeric not null,
  primary key (block_hash, transfer_index));
create index if not exists deposits_by_address on deposits (to_address, block_number);
create table if not exists deposit_positions (
  topic text, partition integer, next_offset bigint not null, seq text not null, index text not null,
  primary key (topic, partition));`

// An applied block may be solidified later, and a topic with another finality may report it again.
const insertDeposit = `
insert into deposits values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::text::numeric)
on conflict (block_hash, transfer_index) do update set finality = excluded.finality
where deposits.finality = 'applied' and excluded.finality = 'solidified'`

const deleteDeposit = `delete from deposits where block_hash = $1 and transfer_index = $2 and finality = 'applied'`

// No row is updated if another process has moved the position. The rows of the other process are then in the database.
const movePosition = `
update deposit_positions set next_offset = $3, seq = $4, index = $5
where topic = $1 and partition = $2 and next_offset = $6`

type store struct {
	connection *pgx.Conn
}

func openStore(ctx context.Context, url string) (*store, error) {
	connection, err := pgx.Connect(ctx, url)
	if err != nil {
		return nil, err
	}
	if _, err := connection.Exec(ctx, tables); err != nil {
		return nil, errors.Join(err, connection.Close(ctx))
	}
	return &store{connection}, nil
}

func (s *store) close() {
	_ = s.connection.Close(context.Background())
}

// positions returns the position of each partition. It stores a first position for each new partition.
func (s *store) positions(ctx context.Context, topic string, partitions []int32) (map[int32]position, error) {
	if _, err := s.connection.Exec(ctx,
		`insert into deposit_positions select $1, unnest($2::integer[]), 0, '', '' on conflict do nothing`,
		topic, partitions); err != nil {
		return nil, err
	}
	rows, err := s.connection.Query(ctx,
		`select partition, next_offset, seq, index from deposit_positions where topic = $1 and partition = any($2)`,
		topic, partitions)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	positions := make(map[int32]position)
	for rows.Next() {
		var partition int32
		var found position
		if err := rows.Scan(&partition, &found.nextOffset, &found.seq, &found.index); err != nil {
			return nil, err
		}
		positions[partition] = found
	}
	return positions, rows.Err()
}

// write performs one transaction: the new positions and the deposits, or nothing.
func (s *store) write(ctx context.Context, topic string, written batch) error {
	return pgx.BeginFunc(ctx, s.connection, func(tx pgx.Tx) error {
		statements := &pgx.Batch{}
		// All processes lock the positions in the same order.
		partitions := make([]int32, 0, len(written.moves))
		for partition := range written.moves {
			partitions = append(partitions, partition)
		}
		slices.Sort(partitions)
		for _, partition := range partitions {
			from, to := written.moves[partition].before, written.moves[partition].after
			statements.Queue(movePosition, topic, partition, to.nextOffset, to.seq, to.index, from.nextOffset)
		}
		for _, each := range written.changes {
			if each.Removed {
				statements.Queue(deleteDeposit, each.BlockHash, each.Index)
				continue
			}
			statements.Queue(insertDeposit, each.BlockHash, each.Index, each.BlockNumber, time.UnixMilli(each.TimeStamp),
				each.Finality, each.TransactionID, each.Kind, each.Standard, each.Token, each.TokenID, each.From, each.To,
				each.Amount)
		}
		results := tx.SendBatch(ctx, statements)
		for range partitions {
			tag, err := results.Exec()
			if err == nil && tag.RowsAffected() != 1 {
				err = errors.New("another process writes the deposits of this topic")
			}
			if err != nil {
				return errors.Join(err, results.Close())
			}
		}
		return results.Close()
	})
}
