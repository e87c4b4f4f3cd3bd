"""Operations for staff: people and their login, and what they do with customers."""
