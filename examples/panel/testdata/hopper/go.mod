module hopper

go 1.24
