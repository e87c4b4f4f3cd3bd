"""The provider API under `/mijn-fw/v2`: the contract over HTTP."""
