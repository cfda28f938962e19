"""What every use case that writes shares: origins, rows of the store, holders of leases."""
