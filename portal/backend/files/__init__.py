"""Files that customers upload: `arrival` receives them, `inspection` checks them in a process, `store` keeps them."""
