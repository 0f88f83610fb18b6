module secondring

go 1.26
